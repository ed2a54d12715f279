package dev.anemone.ir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.anemone.ir", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleDependencyTest {

  @ArchTest
  static final ArchRule NEEDS_ONLY_THE_JDK_KRYO_AND_JACKSON =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "dev.anemone.ir..",
              "com.esotericsoftware.kryo.kryo5..",
              "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule ONLY_SERIALIZATION_NEEDS_KRYO =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.anemone.ir.serialization")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.esotericsoftware..");

  @ArchTest
  static final ArchRule ONLY_PRINTERS_NEED_JACKSON =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.anemone.ir.print")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.fasterxml..");

  /** The graph, its properties and its edits are one; nothing in them needs what works on them. */
  @ArchTest
  static final ArchRule THE_GRAPH_DOES_NOT_NEED_CHECKER_PRINTERS_SERIALIZATION_OR_MESSAGES =
      noClasses()
          .that()
          .resideInAnyPackage("dev.anemone.ir", "dev.anemone.ir.property", "dev.anemone.ir.edit")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.anemone.ir.check",
              "dev.anemone.ir.print",
              "dev.anemone.ir.serialization",
              "dev.anemone.ir.message");

  @ArchTest
  static final ArchRule WHAT_WORKS_ON_THE_GRAPH_STANDS_ALONE =
      slices()
          .matching("dev.anemone.ir.(check|print|serialization|message)..")
          .should()
          .beFreeOfCycles();
}
