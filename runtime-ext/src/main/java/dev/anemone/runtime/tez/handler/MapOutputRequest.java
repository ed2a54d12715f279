// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import org.apache.tez.runtime.library.common.security.SecureShuffleUtils;
import org.apache.tez.runtime.library.common.shuffle.orderedgrouped.ShuffleHeader;

/**
 * Asks a shuffle handler for a partition of blocks. Port, path and query are signed with the job's
 * token, so the port must be that at which the handler itself listens; the handler signs the
 * signature in return.
 *
 * @param names of the blocks, as the handler knows them
 * @param partition which one
 * @param target path and query
 * @param hash the signature
 */
record MapOutputRequest(List<String> names, int partition, String target, String hash) {

  /** A request that is signed. */
  static MapOutputRequest of(
      ServedJob job, List<String> names, int partition, int port, SecretKey key) {
    String target =
        "/mapOutput?"
            + job.query()
            + "&reduce="
            + partition
            + "&map="
            + String.join(",", names)
            + "&keepAlive=true";
    byte[] signed = (port + target).getBytes(StandardCharsets.UTF_8);
    return new MapOutputRequest(
        List.copyOf(names), partition, target, SecureShuffleUtils.generateHash(signed, key));
  }

  /** The request as it is sent. */
  byte[] toBytes(BlockLocation location) {
    return ("GET "
            + target
            + " HTTP/1.1\r\n"
            + "Host: "
            + location
            + "\r\n"
            + ShuffleHeader.HTTP_HEADER_NAME
            + ": "
            + ShuffleHeader.DEFAULT_HTTP_HEADER_NAME
            + "\r\n"
            + ShuffleHeader.HTTP_HEADER_VERSION
            + ": "
            + ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION
            + "\r\n"
            + SecureShuffleUtils.HTTP_HEADER_URL_HASH
            + ": "
            + hash
            + "\r\n\r\n")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * Checks that an answer is one of the shuffle's protocol, and of somebody who has the job's
   * token.
   *
   * @throws IOException when it is not
   */
  void verify(AnswerHead head, SecretKey key) throws IOException {
    Optional<String> protocol = head.field(ShuffleHeader.HTTP_HEADER_NAME);
    Optional<String> version = head.field(ShuffleHeader.HTTP_HEADER_VERSION);
    if (!protocol.equals(Optional.of(ShuffleHeader.DEFAULT_HTTP_HEADER_NAME))
        || !version.equals(Optional.of(ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION))) {
      throw new IOException(
          "it is no shuffle handler of version "
              + ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION
              + ": it calls itself "
              + AnswerHead.printable(protocol.orElse("nothing"))
              + " of version "
              + AnswerHead.printable(version.orElse("none")));
    }
    Optional<String> reply = head.field("replyhash");
    if (reply.isEmpty()) {
      throw new IOException("its answer is not signed");
    }
    try {
      SecureShuffleUtils.verifyReply(reply.get(), hash, key);
    } catch (IOException e) {
      throw new IOException("its answer is not signed with the token of this application", e);
    }
  }
}
