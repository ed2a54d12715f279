// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes JSON at a place at random. */
final class JsonMutation {
  private final Random random;

  JsonMutation(Random random) {
    this.random = random;
  }

  /** Puts a value into some object or array below a root, removes one, or gives it another name. */
  void apply(JsonNode root, JsonNode value) {
    List<JsonNode> containers = new ArrayList<>();
    collect(root, containers);
    JsonNode chosen = containers.get(random.nextInt(containers.size()));
    if (chosen instanceof ArrayNode array) {
      change(array, value);
    } else {
      change((ObjectNode) chosen, value);
    }
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainerNode()) {
      containers.add(node);
      node.forEach(child -> collect(child, containers));
    }
  }

  private void change(ArrayNode array, JsonNode value) {
    int choice = random.nextInt(4);
    if (array.isEmpty() || choice == 0) {
      array.add(value);
    } else if (choice == 1) {
      array.remove(random.nextInt(array.size()));
    } else {
      array.set(random.nextInt(array.size()), value);
    }
  }

  private void change(ObjectNode object, JsonNode value) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    int choice = random.nextInt(5);
    if (names.isEmpty() || choice == 0) {
      object.set("more", value);
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    if (choice == 1) {
      object.remove(name);
    } else if (choice == 2) {
      object.set(name + "2", object.remove(name));
    } else {
      object.set(name, value);
    }
  }
}
