package dev.anemone.runtime.push;

class PushRoundTripTest extends PushRoundTripContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
