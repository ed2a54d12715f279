// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.BlockId;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MessagesTest {

  @Property
  void aWantIsReadAsItWasWritten(
      @ForAll @Size(min = 1, max = 50) Set<@IntRange(max = 20_000) Integer> partitions) {
    Want want = new Want(new BlockId("a/b"), bits(partitions));
    ByteBuffer message = want.toMessage().orElseThrow();
    assertThat(message.get()).isEqualTo(PullProtocol.WANT);
    assertThat(Want.of(message)).isEqualTo(want);
  }

  private static BitSet bits(Set<Integer> partitions) {
    BitSet bits = new BitSet();
    partitions.forEach(bits::set);
    return bits;
  }

  @Test
  void aWantThatDoesNotFitIntoAMessageIsNone() {
    Want far = new Want(new BlockId("a"), bits(Set.of(0, 8 * PullProtocol.MESSAGE_BYTES)));
    assertThat(far.toMessage()).isEmpty();
    Want alone = new Want(new BlockId("a"), bits(Set.of(8 * PullProtocol.MESSAGE_BYTES)));
    assertThat(alone.toMessage()).isPresent();
  }

  @Test
  void aWantThatIsCutOffIsNone() {
    ByteBuffer whole = new Want(new BlockId("a/b"), bits(Set.of(3))).toMessage().orElseThrow();
    for (int length = 1; length < whole.limit(); length++) {
      ByteBuffer cut = whole.duplicate().position(1).limit(length);
      assertThatThrownBy(() -> Want.of(cut)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Property
  void aPieceIsReadAsItWasWritten(
      @ForAll int partition,
      @ForAll long stored,
      @ForAll long raw,
      @ForAll long offset,
      @ForAll int bytes,
      @ForAll int checksum) {
    Piece piece = new Piece(partition, stored, raw, offset, bytes, checksum);
    ByteBuffer message = piece.writeTo(ByteBuffer.allocate(Piece.MESSAGE_BYTES));
    assertThat(message.get()).isEqualTo(PullProtocol.PIECE);
    assertThat(Piece.of(message)).isEqualTo(piece);
  }
}
