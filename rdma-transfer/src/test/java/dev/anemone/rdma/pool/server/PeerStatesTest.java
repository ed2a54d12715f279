// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerStatesTest {

  /** One letter for each server: this one (S), reached (U), lost (L), dead (D). */
  private static PeerStates states(String text) {
    BitSet up = new BitSet();
    BitSet dead = new BitSet();
    for (int i = 0; i < text.length(); i++) {
      up.set(i, text.charAt(i) == 'U');
      dead.set(i, text.charAt(i) == 'D');
    }
    return new PeerStates(text.indexOf('S'), text.length(), up, dead);
  }

  @ParameterizedTest
  @CsvSource({
    "S, false",
    "SU, false",
    "SD, false",
    "SL, false",
    "LS, true",
    "DS, false",
    "SUL, false",
    "USL, false",
    "LSU, false",
    "SLL, true",
    "DSL, false",
    "DLS, true",
    "SULL, false",
    "LLSU, true",
    "SLLU, false",
    "LSLU, true",
    "DSLL, true",
  })
  void whoHasLostThePoolIsFenced(String servers, boolean fenced) {
    assertThat(states(servers).isFenced()).isEqualTo(fenced);
  }

  @Test
  void twoPartsOfAPoolNeverBothGoOn() {
    int servers = 5;
    for (int part = 1; part < (1 << servers) - 1; part++) {
      int open = 0;
      for (int side : new int[] {part, ~part & ((1 << servers) - 1)}) {
        int self = Integer.numberOfTrailingZeros(side);
        BitSet up = BitSet.valueOf(new long[] {side & ~(1 << self)});
        open += new PeerStates(self, servers, up, new BitSet()).isFenced() ? 0 : 1;
      }
      assertThat(open).as("parts of %s that go on", Integer.toBinaryString(part)).isEqualTo(1);
    }
  }
}
