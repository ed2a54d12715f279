// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A setting that a pass reads, given as text such as {@code compression=lz4}. Two options with the
 * same name are the same option. Immutable and thread-safe.
 *
 * @param <T> type of the value
 */
public final class PassOption<T> {

  private final String name;
  private final String expects;
  private final String description;
  private final T defaultValue;
  private final Function<String, Optional<T>> parser;

  private PassOption(
      String name,
      String expects,
      String description,
      T defaultValue,
      Function<String, Optional<T>> parser) {
    this.name = Objects.requireNonNull(name, "name");
    this.expects = expects;
    this.description = Objects.requireNonNull(description, "description");
    this.defaultValue = Objects.requireNonNull(defaultValue, "defaultValue");
    this.parser = parser;
  }

  /** A whole number that is at least {@code min}. */
  public static PassOption<Integer> wholeNumber(
      String name, int min, int defaultValue, String description) {
    return new PassOption<>(
        name,
        "a whole number, at least " + min,
        description,
        defaultValue,
        text -> parse(text, Integer::valueOf).filter(n -> n >= min));
  }

  /** A number from {@code min} up to and including {@code max}. */
  public static PassOption<Double> number(
      String name, double min, double max, double defaultValue, String description) {
    return new PassOption<>(
        name,
        "a number from " + min + " to " + max,
        description,
        defaultValue,
        text -> parse(text, Double::valueOf).filter(n -> n >= min && n <= max));
  }

  /** A positive number of bytes, as in {@code 4096}, {@code 512KB}, {@code 64MB} or {@code 1GB}. */
  public static PassOption<Long> bytes(String name, long defaultValue, String description) {
    return new PassOption<>(
        name,
        "a positive number of bytes, such as 4096, 512KB, 64MB or 1GB",
        description,
        defaultValue,
        PassOption::parseBytes);
  }

  /** The same, or 0, which stands for none. */
  public static PassOption<Long> bytesOrNone(String name, long defaultValue, String description) {
    return new PassOption<>(
        name,
        "a number of bytes, such as 4096, 512KB, 64MB or 1GB, or 0 for none",
        description,
        defaultValue,
        text -> text.equals("0") ? Optional.of(0L) : parseBytes(text));
  }

  /** {@code true} or {@code false}; false unless given. */
  public static PassOption<Boolean> flag(String name, String description) {
    return new PassOption<>(
        name,
        "true or false",
        description,
        false,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> Optional.of(true);
              case "false" -> Optional.of(false);
              default -> Optional.empty();
            });
  }

  /** One of an enum's constants, in any case. */
  public static <E extends Enum<E>> PassOption<E> choice(
      String name, E defaultValue, String description) {
    E[] constants = defaultValue.getDeclaringClass().getEnumConstants();
    return new PassOption<>(
        name,
        "one of "
            + Arrays.stream(constants)
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")),
        description,
        defaultValue,
        text -> Arrays.stream(constants).filter(c -> c.name().equalsIgnoreCase(text)).findFirst());
  }

  private static <T> Optional<T> parse(String text, Function<String, T> parser) {
    try {
      return Optional.of(parser.apply(text));
    } catch (NumberFormatException e) {
      // The caller turns "empty" into a message that names the option.
      return Optional.empty();
    }
  }

  private static Optional<Long> parseBytes(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    int shift = 0;
    if (upper.endsWith("KB")) {
      shift = 10;
    } else if (upper.endsWith("MB")) {
      shift = 20;
    } else if (upper.endsWith("GB")) {
      shift = 30;
    }
    int unit = shift;
    String digits = (shift == 0 ? upper : upper.substring(0, upper.length() - 2)).strip();
    return parse(digits, Long::valueOf)
        .filter(n -> n > 0 && n <= Long.MAX_VALUE >> unit)
        .map(n -> n << unit);
  }

  public String name() {
    return name;
  }

  /** What it is for, for help texts. */
  public String description() {
    return description;
  }

  /** What a value must look like, for help texts. */
  public String expects() {
    return expects;
  }

  /** The value where none is given. */
  public T defaultValue() {
    return defaultValue;
  }

  /**
   * The value of a text.
   *
   * @throws IllegalArgumentException names the option and what it expects
   */
  T parse(String text) {
    return parser
        .apply(text.strip())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The pass option "
                        + name
                        + " ("
                        + description
                        + ") was given as \""
                        + text
                        + "\", but expects "
                        + expects
                        + "."));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PassOption<?> that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + "=" + defaultValue;
  }
}
