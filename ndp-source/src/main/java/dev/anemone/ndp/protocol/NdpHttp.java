// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import dev.anemone.ir.relational.json.PlanJson;

/** Names and limits of the protocol. */
public final class NdpHttp {

  /** What comes before the path of a file in WebHDFS. */
  public static final String FILES = "/webhdfs/v1";

  /** Where the proxy says how it is. */
  public static final String STATUS = "/anemone/v1/status";

  /** The content type of a request with a plan. */
  public static final String PLAN_TYPE = "application/vnd.anemone.plan+json";

  /** The content type of an answer. */
  public static final String ANSWER_TYPE = "application/vnd.anemone.answer";

  /** A short plan may stand in this header of a request without a body. */
  public static final String PLAN_HEADER = "X-Anemone-Plan";

  /** The proof that a client has the shared secret. */
  public static final String PROOF_HEADER = "X-Anemone-Proof";

  /** Largest request in bytes: a plan, and as much again for the columns. */
  public static final int MAX_REQUEST_BYTES = 2 * PlanJson.MAX_BYTES;

  /** Largest header of a request in bytes, with the plan. */
  public static final int MAX_HEADER_BYTES = 32 << 10;

  private NdpHttp() {}
}
