package dev.anemone.runtime.push;

class PushReceiverUcxTest extends PushReceiverContract {

  @Override
  String wire() {
    return "ucx";
  }
}
