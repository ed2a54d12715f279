// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushHandshakeTest extends PushHandshakeContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
