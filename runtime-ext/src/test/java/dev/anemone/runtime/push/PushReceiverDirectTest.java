// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushReceiverDirectTest extends PushReceiverContract {

  @Override
  String wire() {
    return PushWires.DIRECT;
  }
}
