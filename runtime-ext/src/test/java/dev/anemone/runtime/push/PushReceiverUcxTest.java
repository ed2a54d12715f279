// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushReceiverUcxTest extends PushReceiverContract {

  @Override
  String wire() {
    return "ucx";
  }
}
