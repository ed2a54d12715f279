// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddress;
import java.io.IOException;
import java.util.List;

/** Speaks the protocol of a receiver as a test wants it, to one sender. */
interface ScriptedReceiver extends AutoCloseable {

  /** What it does with a sender. */
  interface Script {
    void play(ScriptedReceiver receiver) throws IOException;
  }

  static ScriptedReceiver start(String wire, Script script) throws IOException {
    return wire.equals(PushWires.NETTY)
        ? new NettyScriptedReceiver(script)
        : new TransportScriptedReceiver(wire, script);
  }

  PushAddress address();

  /** Reads a greeting, and proves that it knows a secret. */
  void challenge(JobSecret secret) throws IOException;

  /** Lets a sender in. */
  void welcome() throws IOException;

  void reply(char kind, int argument) throws IOException;

  /** Reads a batch and remembers its entries. */
  int readBatch() throws IOException;

  /** Closes its half of the connection, behind the replies. */
  void hangUp() throws IOException;

  /** Reads until the sender disconnects; returns how many bytes came. */
  long awaitEnd() throws IOException;

  /** The entries of the batches that were read; after the script has been played. */
  List<TestEntry> received() throws Exception;

  @Override
  void close() throws Exception;
}
