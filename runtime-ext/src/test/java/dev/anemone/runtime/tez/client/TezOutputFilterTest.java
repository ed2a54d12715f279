// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TezOutputFilterTest {

  @Test
  void dropsTezLinesAndNothingElse() {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
      TezOutputFilter.install();
      System.out.println("2026-01-02 03:04:05 Starting to run new task attempt: attempt_1");
      System.out.println("2026-01-02 03:04:05 Completed Dag: dag_1");
      System.out.println("2026-01-02 03:04:05 Something of the user's");
      System.out.printf("%d%n", 7);
      System.out.println((String) null);
    } finally {
      System.setOut(before);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("2026-01-02 03:04:05 Something of the user's", "7", "null");
  }
}
