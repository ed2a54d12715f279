// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushSenderTest extends PushSenderContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
