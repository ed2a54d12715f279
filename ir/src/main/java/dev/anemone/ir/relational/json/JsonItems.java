// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.anemone.ir.relational.InvalidPlanException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Takes JSON apart, and says what is there where something else should be. */
final class JsonItems {

  /** Longest piece of JSON, in characters, that a message repeats. */
  private static final int LONGEST = 120;

  private JsonItems() {}

  static JsonNode array(JsonNode node, String what) {
    if (!node.isArray()) {
      throw new InvalidPlanException(what + " should be an array and is " + shown(node));
    }
    return node;
  }

  /** An array of a fixed size. */
  static JsonNode array(JsonNode node, int size, String what) {
    if (!node.isArray() || node.size() != size) {
      throw new InvalidPlanException(
          what + " should be an array of " + size + " and is " + shown(node));
    }
    return node;
  }

  static String text(JsonNode node, String what) {
    if (!node.isTextual()) {
      throw new InvalidPlanException(what + " should be a string and is " + shown(node));
    }
    return node.textValue();
  }

  /** A string, or null for none. */
  static Optional<String> optional(JsonNode node, String what) {
    return node.isNull() ? Optional.empty() : Optional.of(text(node, what));
  }

  static boolean bool(JsonNode node, String what) {
    if (!node.isBoolean()) {
      throw new InvalidPlanException(what + " should be true or false and is " + shown(node));
    }
    return node.booleanValue();
  }

  static int integer(JsonNode node, String what) {
    if (!node.isInt()) {
      throw new InvalidPlanException(what + " should be a whole number and is " + shown(node));
    }
    return node.intValue();
  }

  static long whole(JsonNode node, String what) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw new InvalidPlanException(what + " should be a whole number and is " + shown(node));
    }
    return node.longValue();
  }

  static double number(JsonNode node, String what) {
    if (!node.isNumber()) {
      throw new InvalidPlanException(what + " should be a number and is " + shown(node));
    }
    return node.doubleValue();
  }

  /** The constant of a lower-case name. */
  static <E extends Enum<E>> E constant(JsonNode node, E[] values, String what) {
    String name = text(node, what);
    for (E value : values) {
      if (nameOf(value).equals(name)) {
        return value;
      }
    }
    StringBuilder known = new StringBuilder();
    for (E value : values) {
      known.append(known.length() == 0 ? "" : ", ").append(nameOf(value));
    }
    throw new InvalidPlanException(what + " should be one of " + known + " and is " + shown(node));
  }

  static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static String shown(JsonNode node) {
    // Nodes print what they hold however long that is; a plan is bounded, so this is too.
    String text = node.toString();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  static Members members(JsonNode node, String what) {
    if (!node.isObject()) {
      throw new InvalidPlanException(what + " should be an object and is " + shown(node));
    }
    return new Members(node, what);
  }

  /** The members of an object, each to be taken once. */
  static final class Members {
    private final JsonNode node;
    private final String what;
    private final Set<String> taken = new HashSet<>();

    private Members(JsonNode node, String what) {
      this.node = node;
      this.what = what;
    }

    JsonNode take(String name) {
      return takeIfThere(name)
          .orElseThrow(() -> new InvalidPlanException(what + " lacks the member " + name));
    }

    Optional<JsonNode> takeIfThere(String name) {
      taken.add(name);
      return Optional.ofNullable(node.get(name));
    }

    void requireNoOthers() {
      for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (!taken.contains(name)) {
          throw new InvalidPlanException(what + " has a member that is not known: " + name);
        }
      }
    }
  }
}
