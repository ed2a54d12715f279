// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import org.junit.jupiter.api.Tag;

@Tag("slow")
class PushRecoveryUcxTest extends PushRecoveryContract {

  @Override
  String wire() {
    return "ucx";
  }
}
