package dev.anemone.runtime.push;

class PushSenderTest extends PushSenderContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }
}
