//! A port for a program that needs its port before it listens.

use tokio::net::TcpSocket;

/// A free port of the loopback that stays free for one program.
pub struct HeldPort {
    /// Bound, and never listening: a program that asks for any free port gets another one, and one that asks for this
    /// port gets it.
    held: TcpSocket,
}

impl HeldPort {
    /// Takes any free port.
    pub fn take() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self { held: socket }
    }

    /// Its number.
    pub fn number(&self) -> u16 {
        self.held.local_addr().unwrap().port()
    }
}
