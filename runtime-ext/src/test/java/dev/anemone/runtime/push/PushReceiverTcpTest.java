package dev.anemone.runtime.push;

class PushReceiverTcpTest extends PushReceiverContract {

  @Override
  String wire() {
    return "tcp";
  }
}
