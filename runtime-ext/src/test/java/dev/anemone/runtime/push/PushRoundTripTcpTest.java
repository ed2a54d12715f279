// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushRoundTripTcpTest extends PushRoundTripContract {

  @Override
  String wire() {
    return "tcp";
  }
}
