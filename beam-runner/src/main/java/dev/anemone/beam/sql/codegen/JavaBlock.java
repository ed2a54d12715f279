// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the statements of a method, and remembers which values they have computed, so that none is
 * computed twice: what is known in a block is known in the blocks inside it. Not thread-safe.
 */
final class JavaBlock {
  private final StringBuilder fields = new StringBuilder();
  private final StringBuilder statements = new StringBuilder();
  private final Map<String, String> constants = new LinkedHashMap<>();
  private final Map<String, String> methods = new HashMap<>();
  private final Deque<Map<Object, Term>> known = new ArrayDeque<>();
  private int names;

  JavaBlock() {
    known.push(new HashMap<>());
  }

  private String newName() {
    return "v" + names++;
  }

  /** A constant of the class; the same initial value gives the same constant. */
  String constant(String type, String initialValue) {
    return constants.computeIfAbsent(
        initialValue,
        value -> {
          String name = "C" + constants.size();
          fields.append("private static final ").append(type).append(' ').append(name);
          fields.append(" = ").append(value).append(";\n");
          return name;
        });
  }

  /**
   * A method of the class that returns an object; its name. The same method is written once.
   *
   * @param body a block with braces
   */
  String method(String parameters, String body) {
    return methods.computeIfAbsent(
        "(" + parameters + ") " + body,
        method -> {
          String name = "f" + methods.size();
          fields.append("private static Object ").append(name).append(method).append('\n');
          return name;
        });
  }

  /** A variable that does not change; its name. */
  String variable(String type, String value) {
    String name = newName();
    line("final " + type + " " + name + " = " + value + ";");
    return name;
  }

  /** A variable that is set later; its name. */
  String mutable(String type, String value) {
    String name = newName();
    line(type + " " + name + " = " + value + ";");
    return name;
  }

  /** Writes a statement. */
  void line(String statement) {
    statements.append("  ".repeat(known.size())).append(statement).append('\n');
  }

  /** Begins a block, such as with {@code if (x)} and an opening brace. */
  void open(String head) {
    line(head);
    known.push(new HashMap<>());
  }

  /** Ends the innermost block. */
  void close() {
    known.pop();
    line("}");
  }

  /** Ends the innermost block and begins its counterpart. */
  void otherwise() {
    known.pop();
    line("} else {");
    known.push(new HashMap<>());
  }

  /** The term of {@code expression}, if a statement that is sure to have run computes it. */
  Optional<Term> known(Object expression) {
    return known.stream().map(block -> block.get(expression)).filter(t -> t != null).findFirst();
  }

  /** Remembers the term of {@code expression} up to the end of the innermost block. */
  Term remember(Object expression, Term term) {
    known.element().put(expression, term);
    return term;
  }

  /** The constants and methods of the class. */
  String fields() {
    return fields.toString();
  }

  /** The statements of the method. */
  String statements() {
    return statements.toString();
  }
}
