// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

class PushReceiverTcpTest extends PushReceiverContract {

  @Override
  String wire() {
    return "tcp";
  }
}
