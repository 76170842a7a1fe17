// Reloads the page when Trunk has built it anew, and when Trunk was started again. Only `cargo xtask serve` adds it.
const address = new URL("/.well-known/trunk/ws", location.href);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
const PAUSE = 2_000;

const connect = (opened) => {
  const socket = new WebSocket(address);
  socket.onopen = () => opened?.();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "reload") location.reload();
    else console.error(`The build failed: ${message.data?.reason ?? "see the terminal"}`);
  };
  // Whoever answers again may have built something else.
  socket.onclose = () => setTimeout(connect, PAUSE, () => location.reload());
};

connect();
