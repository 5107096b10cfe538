//! `farm serve --class`: one address for pupils, one for the teacher.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::path::PathBuf;

use clap::Args;
use farm_serve::{ClassAddress, ClassSettings, Games, Server, Settings};

use crate::output;

/// The maximum number of requests per second from one device. It also slows down guesses of the code.
const MAX_REQUESTS: u32 = 200;
/// An address of no machine, reserved for documentation. No packet is sent to it.
const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// The options of a class.
#[derive(Debug, Args)]
#[command(next_help_heading = "Class")]
pub(crate) struct ClassArguments {
    /// Serve a class with this name: pupils play the same season, and the teacher sees a table
    #[arg(long = "class", value_name = "NAME", conflicts_with_all = ["token_env", "no_playground"])]
    name: Option<String>,
    /// File that keeps the class over a restart [default: the name of the class, with `.class.json`]
    #[arg(long = "class-file", value_name = "FILE", requires = "name")]
    file: Option<PathBuf>,
}

impl ClassArguments {
    /// The settings of the class, if there is one.
    pub(crate) fn settings(&self) -> Option<ClassSettings> {
        let name = self.name.clone()?;
        let file = self.file.clone().unwrap_or_else(|| format!("{}.class.json", stem(&name)).into());
        Some(ClassSettings { name, file })
    }
}

/// The name of a class as the name of a file.
fn stem(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' });
    letters.collect::<String>().to_lowercase()
}

/// The address of this machine in its network, or its own address if it has no network.
pub(crate) fn own_address() -> IpAddr {
    let found = || {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        socket.connect(ELSEWHERE)?;
        socket.local_addr().map(|address| address.ip())
    };
    found().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

/// Starts listening for a class, and prints its addresses and who can reach them.
///
/// # Errors
/// Fails if the class can't be opened, or if the address can't be used.
pub(crate) fn bind(games: Games, class: &ClassSettings, mut settings: Settings) -> anyhow::Result<Server> {
    settings.limits.max_requests_per_second = settings.limits.max_requests_per_second.min(MAX_REQUESTS);
    if settings.host.is_unspecified() && settings.allowed_hosts.is_empty() {
        settings.allowed_hosts.push(own_address().to_string());
    }
    let (server, address) = Server::bind_class(games, class, settings)?;
    tell(&server, class, &address);
    Ok(server)
}

fn tell(server: &Server, class: &ClassSettings, address: &ClassAddress) {
    output::note(format!("{} is the address for pupils of {}", address.pupils, class.name));
    for line in address.qr_text().unwrap_or_default().lines() {
        output::note(line);
    }
    output::note(format!("teacher, do not share: {}", address.teacher));
    let listens = server.address();
    let (ip, port) = (listens.ip(), listens.port());
    let reach = if ip.is_loopback() {
        "Only browsers on this machine can reach it; pass `--host ADDRESS` for other devices.".to_owned()
    } else if ip.is_unspecified() {
        format!(
            "Port {port} is open on all addresses of this machine. Every device that can reach it and has the pupils' address can join."
        )
    } else {
        format!(
            "Port {port} is open on {ip} only. Every device that can reach it and has the pupils' address can join."
        )
    };
    output::note(format!("{reach} Pupils see only their own farm. Nothing is encrypted."));
    output::note(format!(
        "The class is kept in {}. Ctrl-C ends the server; the same command continues the class.",
        class.file.display()
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_a_file_without_odd_characters() {
        assert_eq!(stem("Spring 9b"), "spring-9b");
        assert_eq!(stem("../É/x"), "---é-x");
    }
}
