package dev.anemone.runtime.push;

class PushSenderUcxTest extends PushSenderContract {

  @Override
  String wire() {
    return "ucx";
  }
}
