package dev.anemone.runtime.push;

class PushReceiverTest extends PushReceiverContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
