// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

class ServedBlocksUcxTest extends ServedBlocksContract {

  @Override
  String transport() {
    return "ucx";
  }
}
