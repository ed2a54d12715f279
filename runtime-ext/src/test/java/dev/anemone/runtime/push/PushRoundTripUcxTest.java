// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushRoundTripUcxTest extends PushRoundTripContract {

  @Override
  String wire() {
    return "ucx";
  }
}
