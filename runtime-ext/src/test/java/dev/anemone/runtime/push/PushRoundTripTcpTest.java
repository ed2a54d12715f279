package dev.anemone.runtime.push;

class PushRoundTripTcpTest extends PushRoundTripContract {

  @Override
  String wire() {
    return "tcp";
  }
}
