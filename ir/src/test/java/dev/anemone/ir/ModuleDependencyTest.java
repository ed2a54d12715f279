// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.anemone.ir.edit.DagEdit;
import org.junit.jupiter.api.Test;

class ModuleDependencyTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.ir");

  @Test
  void needsOnlyTheJdkKryoAndJackson() {
    ArchRule rule =
        classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "dev.anemone.ir..",
                "com.esotericsoftware.kryo.kryo5..",
                "com.fasterxml.jackson..");
    rule.check(CLASSES);
  }

  @Test
  void onlySerializationNeedsKryo() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.anemone.ir.serialization")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.esotericsoftware..");
    rule.check(CLASSES);
  }

  @Test
  void onlyPrintersAndWrittenPlansNeedJackson() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.anemone.ir.print", "dev.anemone.ir.relational.json")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.fasterxml..");
    rule.check(CLASSES);
  }

  /** The graph, its properties and its edits are one; nothing in them needs what works on them. */
  @Test
  void theGraphDoesNotNeedCheckerPrintersSerializationOrMessages() {
    ArchRule rule =
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
    rule.check(CLASSES);
  }

  /** Storage nodes evaluate plans, and know no graph. */
  @Test
  void relationalPlansStandAlone() {
    ArchRule rule =
        classes()
            .that()
            .resideInAPackage("dev.anemone.ir.relational")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.anemone.ir.relational");
    rule.check(CLASSES);
  }

  /**
   * But one: a graph applies edits to itself, which is how it remembers them, and each edit makes a
   * graph.
   */
  @Test
  void packagesFormNoCycle() {
    slices()
        .matching("dev.anemone.(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(belongToAnyOf(IRDag.class), equivalentTo(DagEdit.class))
        .check(CLASSES);
  }
}
