package dev.anemone.runtime.tez;

class PushRecoveryTcpTest extends PushRecoveryContract {

  @Override
  String wire() {
    return "tcp";
  }
}
