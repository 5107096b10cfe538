//! Many sessions that all play: each gets its share.

use std::cell::RefCell;
use std::rc::Rc;

use farm_serve::Limits;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::Running;

/// So many sessions are more than what a scheduler that moves tasks between threads keeps in order.
const SESSIONS: usize = 1500;
/// So many steps they take on average.
const ROUNDS: usize = 20;

#[test]
fn of_many_sessions_that_all_play_none_is_left_behind() {
    let server = Running::within(&["backwards_valley"], Limits::default());
    // A generator on one thread, which asks in turn: what is uneven is the server's doing.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let counts = Rc::new(RefCell::new(vec![0; SESSIONS]));
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async {
        let mut sockets = Vec::new();
        for _ in 0..SESSIONS {
            let stream = TcpStream::connect(server.address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let (mut socket, _) =
                tokio_tungstenite::client_async(format!("ws://{}/ws", server.address), stream).await.unwrap();
            socket.send(Message::text(r#"{"type":"reset","data":{"seed":7,"observe":[]}}"#)).await.unwrap();
            socket.next().await.unwrap().unwrap();
            sockets.push(socket);
        }
        let play = |(i, mut socket): (usize, tokio_tungstenite::WebSocketStream<TcpStream>)| {
            let counts = counts.clone();
            tokio::task::spawn_local(async move {
                while counts.borrow().iter().sum::<usize>() < SESSIONS * ROUNDS {
                    socket.send(Message::text(r#"{"type":"step","data":{"action":0}}"#)).await.unwrap();
                    socket.next().await.unwrap().unwrap();
                    counts.borrow_mut()[i] += 1;
                }
            })
        };
        let playing: Vec<_> = sockets.into_iter().enumerate().map(play).collect();
        for session in playing {
            session.await.unwrap();
        }
    });
    let least = counts.borrow().iter().copied().min().unwrap();
    assert!(least >= ROUNDS / 5, "a session took {least} steps while the others took {ROUNDS} on average");
}
