// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushHandshakeTcpTest extends PushHandshakeContract {

  @Override
  String wire() {
    return "tcp";
  }
}
