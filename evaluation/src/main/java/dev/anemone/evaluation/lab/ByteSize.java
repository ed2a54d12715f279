// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** A size such as {@code 200m}, as users give it. The units are powers of 1000. */
public record ByteSize(String text, long bytes) {
  public static ByteSize of(String text) {
    String lowerCase = text.toLowerCase(Locale.ROOT);
    int digits = lowerCase.length();
    while (digits > 0 && !Character.isDigit(lowerCase.charAt(digits - 1))) {
      digits--;
    }
    long unit =
        switch (lowerCase.substring(digits)) {
          case "" -> 1L;
          case "k" -> 1_000L;
          case "m" -> 1_000_000L;
          case "g" -> 1_000_000_000L;
          default -> throw notASize(text);
        };
    try {
      long number = Long.parseLong(lowerCase.substring(0, digits));
      return new ByteSize(text, Math.multiplyExact(number, unit));
    } catch (NumberFormatException | ArithmeticException unreadable) {
      throw notASize(text);
    }
  }

  private static TypeConversionException notASize(String text) {
    return new TypeConversionException(
        "'" + text + "' is not a size. Give a number of bytes, or such as 10k, 200m, 1g.");
  }

  @Override
  public String toString() {
    return text;
  }
}
