// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushHandshakeUcxTest extends PushHandshakeContract {

  @Override
  String wire() {
    return "ucx";
  }
}
