package dev.anemone.runtime.tez;

class PushRecoveryUcxTest extends PushRecoveryContract {

  @Override
  String wire() {
    return "ucx";
  }
}
