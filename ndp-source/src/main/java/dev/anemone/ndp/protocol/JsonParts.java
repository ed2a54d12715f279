// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.anemone.ir.relational.InvalidPlanException;
import java.util.Iterator;
import java.util.Set;

/** Takes JSON apart, and says what is there where something else should be. */
final class JsonParts {

  /** Longest piece of JSON, in characters, that a message repeats. */
  private static final int LONGEST = 120;

  private JsonParts() {}

  /** An object with exactly these members. */
  static void requireMembers(JsonNode node, Set<String> names, String what) {
    if (!node.isObject()) {
      throw wrong(node, what, "an object");
    }
    for (String name : names) {
      if (!node.has(name)) {
        throw new InvalidPlanException(what + " lacks the member " + name);
      }
    }
    for (Iterator<String> given = node.fieldNames(); given.hasNext(); ) {
      String name = given.next();
      if (!names.contains(name)) {
        throw new InvalidPlanException(
            what + " has a member that is not known: " + shortened(name));
      }
    }
  }

  static JsonNode array(JsonNode node, String what) {
    if (!node.isArray()) {
      throw wrong(node, what, "an array");
    }
    return node;
  }

  static JsonNode array(JsonNode node, int size, String what) {
    if (!node.isArray() || node.size() != size) {
      throw wrong(node, what, "an array of " + size);
    }
    return node;
  }

  static String text(JsonNode node, String what) {
    if (!node.isTextual()) {
      throw wrong(node, what, "a string");
    }
    return node.textValue();
  }

  static boolean bool(JsonNode node, String what) {
    if (!node.isBoolean()) {
      throw wrong(node, what, "true or false");
    }
    return node.booleanValue();
  }

  static long whole(JsonNode node, String what) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw wrong(node, what, "a whole number of 64 bits");
    }
    return node.longValue();
  }

  static InvalidPlanException wrong(JsonNode node, String what, String wanted) {
    return new InvalidPlanException(
        what + " should be " + wanted + " and is " + shortened(node.toString()));
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
