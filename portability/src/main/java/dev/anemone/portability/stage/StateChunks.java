// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * Answers of a state in parts, each of which has whole elements, and says where the next one begins
 * by a continuation token of Beam's Fn API. Stateless.
 */
final class StateChunks {

  /** A part has about so many bytes, and at least one element. */
  static final int BYTES = 1 << 20;

  private StateChunks() {}

  /** Where an answer begins. */
  static int position(ByteString token) {
    return token.isEmpty() ? 0 : Integer.parseInt(token.toStringUtf8());
  }

  /**
   * An answer.
   *
   * @param next where the one after it begins, if there is one
   */
  static StateGetResponse response(ByteString data, int next, boolean hasNext) {
    StateGetResponse.Builder response = StateGetResponse.newBuilder().setData(data);
    if (hasNext) {
      response.setContinuationToken(ByteString.copyFromUtf8(Integer.toString(next)));
    }
    return response.build();
  }
}
