// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.SimpleType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Random;

/** Values at random, small enough that little is lost in arithmetic, and often equal. */
public final class RandomValues {

  private static final String[] WORDS = {
    "",
    "a",
    "b",
    "ab",
    "aB",
    "A",
    "a%b",
    "_",
    "a_b",
    "ä",
    "日本",
    "😀",
    "\uFFFD",
    "it's",
    "a\"b",
    "x|y",
    "a,b",
    " a",
    "a\\",
    "0",
    "true",
    "NULL",
    "%",
    "; drop table t --"
  };
  private static final int LARGEST = 1000;

  private final Random random;

  public RandomValues(Random random) {
    this.random = random;
  }

  /** A value of the class that literals of this type have. */
  public Object of(DataType type) {
    if (type instanceof DecimalType decimal) {
      int digits = Math.min(decimal.precision(), 5);
      BigInteger unscaled = BigInteger.valueOf(random.nextInt((int) Math.pow(10, digits)));
      BigDecimal value = new BigDecimal(unscaled, decimal.scale());
      return random.nextBoolean() ? value : value.negate();
    }
    return switch ((SimpleType) type) {
      case BOOLEAN -> random.nextBoolean();
      case INT32 -> small();
      case INT64 -> (long) small();
      case DOUBLE -> small() / 8.0; // sums of these are exact
      case DATE -> date();
      case TIMESTAMP -> timestamp();
      case STRING -> WORDS[random.nextInt(WORDS.length)];
    };
  }

  private int small() {
    return random.nextInt(4) == 0
        ? random.nextInt(3) - 1
        : random.nextInt(2 * LARGEST + 1) - LARGEST;
  }

  private LocalDate date() {
    return LocalDate.of(1969, 12, 1).plusDays(random.nextInt(90));
  }

  private LocalDateTime timestamp() {
    LocalDateTime midnight = date().atStartOfDay();
    return random.nextBoolean()
        ? midnight
        : midnight.plusSeconds(random.nextInt(86_400)).plusNanos(1000L * random.nextInt(1_000_000));
  }
}
