// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushSenderUcxTest extends PushSenderContract {

  @Override
  String wire() {
    return "ucx";
  }
}
