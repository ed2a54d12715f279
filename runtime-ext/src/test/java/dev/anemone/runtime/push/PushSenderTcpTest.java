// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushSenderTcpTest extends PushSenderContract {

  @Override
  String wire() {
    return "tcp";
  }
}
