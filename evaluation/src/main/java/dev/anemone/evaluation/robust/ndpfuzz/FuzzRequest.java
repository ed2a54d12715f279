// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request as it goes over the wire, right or not; a character stands for a byte. */
record FuzzRequest(Kind kind, String head, String body) {
  enum Kind {
    /** Nothing: it must be answered. */
    VALID,
    BYTES,
    /** Parts of the JSON were replaced, removed or added. */
    STRUCTURE,
    /** It says of the file or the split what is not so. */
    UNTRUE,
    /** Strings were put in that would do harm as SQL or as a path. */
    HOSTILE_TEXT,
    ADDRESS,
    /** Headers are others, or more. */
    HEADERS,
    SIZE
  }

  static FuzzRequest of(Kind kind, String head, byte[] body) {
    return new FuzzRequest(kind, head, new String(body, StandardCharsets.ISO_8859_1));
  }

  byte[] headBytes() {
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  byte[] bodyBytes() {
    return body.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** What came back, in ISO 8859-1, to the end of the connection; status 0 for nothing. */
  record FuzzAnswer(int status, String text) {
    private static final int TIMEOUT_MS = 60_000;
    private static final int PIECE_BYTES = 1 << 16;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    private static final Pattern REASON =
        Pattern.compile("\"reason\":\"(.{10,})\"", Pattern.DOTALL);

    /** Sends a request over a connection of its own; fails if nothing comes in time. */
    static FuzzAnswer to(FuzzRequest request, InetSocketAddress proxy) throws IOException {
      try (Socket socket = new Socket()) {
        socket.connect(proxy, TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        InputStream in = socket.getInputStream();
        send(request, socket.getOutputStream(), in);
        String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        Matcher status = STATUS.matcher(text);
        return new FuzzAnswer(status.lookingAt() ? Integer.parseInt(status.group(1)) : 0, text);
      }
    }

    /** Sends until all is sent or an answer is there: the rest of a refused one is not read. */
    private static void send(FuzzRequest request, OutputStream out, InputStream in)
        throws IOException {
      out.write(request.headBytes());
      byte[] body = request.bodyBytes();
      for (int at = 0; at < body.length && in.available() == 0; at += PIECE_BYTES) {
        try {
          out.write(body, at, Math.min(PIECE_BYTES, body.length - at));
        } catch (IOException e) {
          // The proxy has answered and closed between the question and the write.
          if (in.available() == 0) {
            throw e;
          }
        }
      }
    }

    boolean isReasonedRefusal() {
      return status >= 400 && status < 500 && REASON.matcher(text).find();
    }

    /** Whether it is an answer that is there to its last chunk. */
    boolean isWhole() {
      return status == 200 && text.endsWith("\r\n0\r\n\r\n");
    }
  }
}
