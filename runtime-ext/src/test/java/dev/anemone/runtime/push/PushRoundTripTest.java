// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushRoundTripTest extends PushRoundTripContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
