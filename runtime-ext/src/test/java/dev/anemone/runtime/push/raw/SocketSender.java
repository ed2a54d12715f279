// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.raw;

import dev.anemone.runtime.push.protocol.PushAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

/** Speaks TCP. */
final class SocketSender implements RawSender {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final DataInputStream in;
  private byte[] challenge;

  SocketSender(PushAddress address) throws IOException {
    socket = new Socket(address.host(), address.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new DataInputStream(socket.getInputStream());
  }

  @Override
  public void send(ByteBuf message) throws IOException {
    byte[] bytes = ByteBufUtil.getBytes(message);
    message.release();
    try {
      socket.getOutputStream().write(bytes);
    } catch (SocketException reset) {
      // The receiver has disconnected, which its reply says.
    }
  }

  @Override
  public String reply() throws IOException {
    try {
      int kind = in.read();
      if (kind < 0) {
        return END;
      }
      int argument = in.readInt();
      if (kind == 'C') {
        challenge = in.readNBytes(argument);
      }
      return (char) kind + "" + argument;
    } catch (SocketException reset) {
      return END;
    }
  }

  @Override
  public byte[] challenge() {
    return challenge;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
