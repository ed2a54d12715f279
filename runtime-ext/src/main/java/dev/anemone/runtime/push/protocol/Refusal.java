// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

/** Why a receiver does not let a sender in. */
public enum Refusal {
  VERSION(1, "it speaks another version of the push protocol than " + PushProtocol.VERSION),
  JOB(2, "it belongs to another job"),
  RECEIVER(3, "it is another receiver, which got the port of the one that is gone"),
  CONNECTED_BEFORE(4, "this task attempt was connected before"),
  PRODUCER_STALE(5, "it wants nothing more of this task attempt"),
  SECRET(6, "this task attempt does not know the secret of the job");

  private final int code;
  private final String reason;

  Refusal(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  /** The reason that a code stands for. */
  public static String reason(int code) {
    for (Refusal refusal : values()) {
      if (refusal.code == code) {
        return refusal.reason;
      }
    }
    return "it gives the unknown reason " + code;
  }
}
