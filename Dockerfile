# A server of all games on port 8000. It has not been built where this file was written, because no container engine was there.
# A container listens on all addresses, so it needs a token of at least 16 characters:
#   docker build -t farm-gym .
#   docker run -p 127.0.0.1:8000:8000 -e FARM_TOKEN=… farm-gym
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist -p farm-cli

FROM debian:bookworm-slim
RUN useradd --system --no-create-home farm
COPY --from=build /source/target/dist/farm /usr/local/bin/farm
USER farm
EXPOSE 8000
ENTRYPOINT ["farm", "serve", "--host", "0.0.0.0", "--port", "8000", "--token-env", "FARM_TOKEN"]
