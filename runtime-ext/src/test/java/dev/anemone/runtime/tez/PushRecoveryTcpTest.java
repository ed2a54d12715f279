// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

class PushRecoveryTcpTest extends PushRecoveryContract {

  @Override
  String wire() {
    return "tcp";
  }
}
