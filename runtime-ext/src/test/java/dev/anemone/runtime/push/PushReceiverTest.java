// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushReceiverTest extends PushReceiverContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
