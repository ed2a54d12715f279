package dev.anemone.runtime.push;

class PushRoundTripUcxTest extends PushRoundTripContract {

  @Override
  String wire() {
    return "ucx";
  }
}
