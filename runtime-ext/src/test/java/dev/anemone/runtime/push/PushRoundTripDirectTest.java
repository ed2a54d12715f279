// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushRoundTripDirectTest extends PushRoundTripContract {

  @Override
  String wire() {
    return PushWires.DIRECT;
  }
}
