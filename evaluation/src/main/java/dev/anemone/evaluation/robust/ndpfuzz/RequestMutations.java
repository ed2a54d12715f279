// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.evaluation.robust.ndpfuzz.FuzzRequest.Kind;
import dev.anemone.ndp.protocol.NdpHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Makes requests out of right ones, the same for the same seed. Used by one thread. */
final class RequestMutations {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int HUGE_LITERAL = 1 << 20;
  private static final int LONG_HEADER = 40 << 10;
  private static final int DEEP = 10_000;

  private static final List<String> OTHER_PATHS = strings("paths.txt");

  private static final List<String> OTHER_QUERIES = strings("queries.txt");

  private static final List<String> TYPES =
      List.of("boolean", "int32", "decimal(15,2)", "double", "date", "timestamp", "string");

  private static final List<String> MARKS = List.of(",", "\t", " ", "n", "1");

  private static final List<String> HOSTILE = strings("hostile.txt");

  private final Random random;
  private final FuzzTarget target;
  private final List<byte[]> bodies = FuzzTarget.bodies();
  private final List<String> canaries;

  RequestMutations(long seed, FuzzTarget target, List<String> canaries) {
    this.random = new Random(seed);
    this.target = target;
    this.canaries = List.copyOf(canaries);
  }

  FuzzRequest next() {
    Kind kind = any(List.of(Kind.values()));
    byte[] body = any(bodies);
    return switch (kind) {
      case VALID -> post(kind, path(), body);
      case BYTES -> post(kind, path(), damaged(body));
      case STRUCTURE -> post(kind, path(), restructured(body, this::oddValue));
      case UNTRUE -> post(kind, path(), untrue(body));
      case HOSTILE_TEXT -> post(kind, path(), restructured(body, () -> quoted(hostile())));
      case ADDRESS -> post(kind, otherAddress(), body);
      case HEADERS -> otherHeaders(body);
      case SIZE -> oversized(body);
    };
  }

  /** The lines of a file beside this class, in which backslashes are those of Java's strings. */
  private static List<String> strings(String file) {
    try (InputStream in = RequestMutations.class.getResourceAsStream(file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return text.lines().map(String::translateEscapes).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  private String path() {
    return NdpHttp.FILES + FuzzTarget.FILE + "?" + target.query();
  }

  private String otherAddress() {
    return random.nextBoolean()
        ? NdpHttp.FILES + any(OTHER_PATHS) + "?" + target.query()
        : NdpHttp.FILES + FuzzTarget.FILE + "?" + any(OTHER_QUERIES);
  }

  private static FuzzRequest post(Kind kind, String address, byte[] body) {
    return FuzzRequest.of(
        kind,
        head(
            "POST " + address + " HTTP/1.1",
            "Content-Type: " + NdpHttp.PLAN_TYPE,
            "Content-Length: " + body.length),
        body);
  }

  private static String head(String... lines) {
    return String.join("\r\n", lines) + "\r\nHost: storage\r\nConnection: close\r\n\r\n";
  }

  private byte[] damaged(byte[] good) {
    byte[] body = good.clone();
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int i = random.nextInt(5); i >= 0; i--) {
          body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
      }
      case 1 -> body = Arrays.copyOf(body, random.nextInt(body.length));
      case 2 -> {
        int kept = random.nextInt(body.length);
        random.nextBytes(body);
        System.arraycopy(good, 0, body, 0, kept);
      }
      default -> {
        int length = 1 + random.nextInt(20);
        System.arraycopy(
            good,
            random.nextInt(body.length - length),
            body,
            random.nextInt(body.length - length),
            length);
      }
    }
    return body;
  }

  /** Replaces one value, at any depth, or a few. */
  private byte[] restructured(byte[] good, Supplier<String> value) {
    try {
      JsonNode root = JSON.readTree(good);
      for (int i = random.nextInt(3); i >= 0; i--) {
        new JsonMutation(random).apply(root, JSON.readTree(value.get()));
      }
      return JSON.writeValueAsBytes(root);
    } catch (IOException e) {
      throw new UncheckedIOException("a right request is JSON", e);
    }
  }

  private byte[] untrue(byte[] good) {
    String text = new String(good, StandardCharsets.US_ASCII);
    String changed =
        switch (random.nextInt(6)) {
          case 0 -> text.replace("\"int64\"", quoted(any(TYPES)));
          case 1 -> text.replace("\"string\"", quoted(any(TYPES)));
          case 2 -> text.replace("\"delimiter\":\"|\"", "\"delimiter\":" + quoted(any(MARKS)));
          case 3 -> text.replace("\"none\"", quoted(any(List.of("gzip", "zstd"))));
          case 4 -> text.replaceFirst("\\{\"kind\":\"csv\"[^}]*}", "{\"kind\":\"parquet\"}");
          default ->
              text.replaceFirst(
                  "\"split\":\\[[^]]*]",
                  "\"split\":[" + random.nextInt(100_000) + "," + random.nextLong() + "]");
        };
    return changed.getBytes(StandardCharsets.US_ASCII);
  }

  private String oddValue() {
    return switch (random.nextInt(9)) {
      case 0 -> "null";
      case 1 -> Long.toString(random.nextLong());
      case 2 -> "1e" + random.nextInt(400);
      case 3 -> nested(random.nextInt(300));
      case 4 -> "{\"op\":\"call\",\"name\":\"system\",\"arguments\":[]}";
      case 5 -> quoted("x".repeat(random.nextInt(3_000)));
      case 6 -> random.nextBoolean() ? "true" : "{}";
      case 7 -> quoted(any(List.of("sum", "read_csv", "and", "like", "cast", "column", "scan")));
      default -> "[[\"id\",\"decimal(38,38)\",false]]";
    };
  }

  private static String nested(int levels) {
    return "[".repeat(levels + 1) + "]".repeat(levels + 1);
  }

  private String hostile() {
    return any(HOSTILE).replace("%s", any(canaries));
  }

  private static String quoted(String text) {
    try {
      return JSON.writeValueAsString(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a string can be written as JSON", e);
    }
  }

  private FuzzRequest otherHeaders(byte[] body) {
    String plan = new String(body, StandardCharsets.US_ASCII);
    String typed = "Content-Type: " + NdpHttp.PLAN_TYPE;
    String length = "Content-Length: " + body.length;
    String line = "POST " + path() + " HTTP/1.1";
    byte[] none = new byte[0];
    return switch (random.nextInt(14)) {
      case 0 -> headers(body, line, typed, length, NdpHttp.PLAN_HEADER + ": " + plan);
      case 1 -> headers(none, "GET " + path() + " HTTP/1.1", NdpHttp.PLAN_HEADER + ": {}");
      case 2 ->
          headers(
              none,
              "GET " + path() + " HTTP/1.1",
              NdpHttp.PLAN_HEADER + ": " + plan.substring(0, random.nextInt(plan.length())));
      case 3 -> headers(none, line, NdpHttp.PLAN_HEADER + ": " + "y".repeat(LONG_HEADER));
      case 4 -> headers(body, line, typed, "Content-Length: -5");
      case 5 -> headers(body, line, typed, "Content-Length: 99999999999999");
      case 6 -> headers(body, line, typed, "Content-Length: abc");
      case 7 -> headers(body, "PUT " + path() + " HTTP/1.1", typed, length);
      case 8 -> headers(body, "DELETE " + path() + " HTTP/1.1", typed, length);
      case 9 -> headers(body, "QQQ\u0001 " + path() + " HTTP/9.9", typed, length);
      case 10 -> headers(body, line, typed, length, NdpHttp.PROOF_HEADER + ": " + hostileHeader());
      case 11 -> headers(body, line, typed, length, "Authorization: Negotiate " + hostileHeader());
      case 12 -> headers(body, line, typed, length, "Cookie: hadoop.auth=" + hostileHeader());
      default ->
          headers(
              "zz\r\nnot a chunk\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
              line,
              typed,
              "Transfer-Encoding: chunked");
    };
  }

  private String hostileHeader() {
    return any(HOSTILE).replaceAll("[^ -~]", "?").replace("%s", any(canaries));
  }

  private static FuzzRequest headers(byte[] body, String... lines) {
    return FuzzRequest.of(Kind.HEADERS, head(lines), body);
  }

  private FuzzRequest oversized(byte[] body) {
    String text = new String(body, StandardCharsets.US_ASCII);
    return switch (random.nextInt(5)) {
      case 0 -> post(Kind.SIZE, path(), "[".repeat(DEEP).getBytes(StandardCharsets.US_ASCII));
      case 1 ->
          post(
              Kind.SIZE,
              path(),
              text.replace("\"id\"", "\"" + "i".repeat(HUGE_LITERAL) + "\"")
                  .getBytes(StandardCharsets.US_ASCII));
      case 2 -> {
        byte[] large = new byte[NdpHttp.MAX_REQUEST_BYTES + 1];
        Arrays.fill(large, (byte) ' ');
        yield post(Kind.SIZE, path(), large);
      }
      case 3 ->
          FuzzRequest.of(
              Kind.SIZE,
              head("POST " + path() + "&x=" + "z".repeat(LONG_HEADER) + " HTTP/1.1"),
              new byte[0]);
      default ->
          post(
              Kind.SIZE,
              path(),
              text.replace("\"version\":1", "\"version\":" + "1".repeat(1 + random.nextInt(2_000)))
                  .getBytes(StandardCharsets.US_ASCII));
    };
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  record JsonMutation(Random random) {
    /** Puts a value into some object or array below a root, removes or renames one. */
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
}
