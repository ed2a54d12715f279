package dev.anemone.runtime.push;

class PushSenderTcpTest extends PushSenderContract {

  @Override
  String wire() {
    return "tcp";
  }
}
